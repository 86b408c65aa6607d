export { createAudioDecoder } from './codecs/decoder.ts';
export { createSpeechModels } from './machine-models.ts';
export { createTranscriptionUsage, type TranscriptionUsage } from './transcription-usage.ts';
export { speechModels } from './models.ts';
export { countSpoken, speak } from './speak.ts';
export { type TranscribeEvent, transcribing } from './transcribing.ts';
export { audioUsage, renderTranscript, transcribe, type TranscribeDeps } from './transcribe.ts';
