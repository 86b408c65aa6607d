export { createAudioDecoder } from './codecs/decoder.ts';
export { createHeard, type Heard } from './heard.ts';
export { speechModels } from './models.ts';
export { countSpoken, speak } from './speak.ts';
export { type TranscribeEvent, transcribing } from './transcribing.ts';
export { audioUsage, renderTranscript, transcribe, type TranscribeDeps } from './transcribe.ts';
