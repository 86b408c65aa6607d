import type { speech as korean } from '../ko/speech.ts';
import type { Translated } from '../translated.ts';

export const speech: Translated<typeof korean> = {
  title: 'Speech',
  description: 'Write recordings down, and hear texts spoken.',
  model: 'Model',
  tabs: { write: 'Speech to text', say: 'Text to speech' },
  write: {
    title: 'Drop an audio file here',
    release: 'Let go to write it down',
    area: 'Upload an audio file',
    hint: 'mp3, wav, m4a, flac, ogg, webm, aac, wma, opus. A file has {{bytes}} at most.',
    choose: 'Choose a file',
    record: 'Record',
    stop: 'End the recording',
    recording: 'Recording {{time}}',
    denied:
      'The microphone cannot be used. Allow it for this address in your browser. It works on https or on an address of this computer only.',
    recorded: 'Recording',
    language: 'Language',
    any: 'Automatic',
    sending: 'Uploading {{name}}',
    reading: 'Reading {{name}}',
    working: 'Writing down {{name}}',
    far: '{{done}} of {{length}} ({{percent}})',
    canceled: 'Writing down {{name}} was canceled.',
    kept: '{{name}} is still here and need not be chosen again.',
    cancel: 'Cancel',
    result: 'Transcript',
    nothing: 'There is nothing to be heard.',
    facts: '{{length}} · {{model}}',
    play: 'Play from {{time}}',
    save: 'Save as {{kind}}',
  },
  say: {
    text: 'Text to say',
    count: '{{count}} / {{most}} characters',
    voice: 'Voice',
    voiceHint: "Empty is the model's own. espeak-ng takes languages such as ko or en-us.",
    speed: 'Speed',
    go: 'Listen',
    working: 'Making it',
    player: 'The spoken text',
    save: 'Save as MP3',
  },
  none: {
    title: 'No model can be used',
    write:
      'Connect a model server that has /audio/transcriptions, or download a model with "npm run studio -- speech pull sense-voice". It appears here within seconds.',
    say: 'Connect a model server that has /audio/speech, install espeak-ng on the server, or put a VITS or Kokoro model of sherpa-onnx into models/speech of the data folder. It appears here within seconds.',
  },
};
