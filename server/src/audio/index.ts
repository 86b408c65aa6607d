export { createAudioDecoder } from './codecs/decoder.ts';
export { createSpeechModels } from './machine-models.ts';
export { speechModelNames, speechModels } from './models.ts';
export { speak } from './speak.ts';
export { type TranscribeEvent, transcribing } from './transcribing.ts';
export { audioUsage, renderTranscript, transcribe, type TranscribeDeps } from './transcribe.ts';
export { listVoices, type VoiceDeps } from './voices.ts';
