import { spawn } from 'node:child_process';
import { EngineError, type SpeakCall, type SpeakResult } from '../../../ports/engine.ts';
import { requestedVoice } from './hosted-voices.ts';

// The program eSpeak NG, where it is installed: text to speech without a model. It is a program of its own (GPL), and not linked.

const PROGRAM = 'espeak-ng';
/** Words a minute at speed 1: the program's own default. */
const WORDS_PER_MINUTE = 175;
const VOICE = /^[A-Za-z]{2,3}[A-Za-z0-9+_-]{0,40}$/;
const HEAD_BYTES = 44;

/** Runs it to its end. Null where it is not installed. */
function runEspeak(args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code === 0 ? Buffer.concat(parts).toString('utf8') : null));
  });
}

/** How long a missing program is cached: it may be installed while the service runs. */
const RECHECK_MS = 30_000;

let cachedVoices: { readonly at: number; readonly voices: Promise<ReadonlySet<string> | null> } | null = null;

/** Names of the languages that it speaks; null where it is not installed, which is looked at again after a while. */
export async function espeakVoices(): Promise<ReadonlySet<string> | null> {
  const known = (cachedVoices ??= { at: performance.now(), voices: listVoices() });
  const voices = await known.voices;
  if (voices !== null || performance.now() - known.at < RECHECK_MS) return voices;
  if (cachedVoices === known) cachedVoices = null;
  return espeakVoices();
}

async function listVoices(): Promise<ReadonlySet<string> | null> {
  const list = await runEspeak(['--voices']);
  if (list === null) return null;
  const names = list
    .split('\n')
    .slice(1)
    .flatMap((line) => line.trim().split(/\s+/).slice(1, 2));
  return new Set(names.filter((name) => name !== ''));
}

/** The language of a text, as far as its letters tell. */
const languageOf = (text: string): string =>
  /\p{Script=Hangul}/u.test(text) ? 'ko' : /\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text) ? 'ja' : 'en-us';

function voiceOf({ voice: given, input }: SpeakCall, voices: ReadonlySet<string>): string {
  const voice = requestedVoice(given);
  if (voice === null) return languageOf(input);
  // Variants such as en+f3 are files of the program's own.
  const [language = ''] = voice.split('+');
  if (VOICE.test(voice) && voices.has(language)) return voice;
  throw new EngineError('refused', 'no such voice', {
    param: 'voice',
    detail: `espeak-ng has no voice ${JSON.stringify(voice.slice(0, 60))}; use a language such as ko or en-us`,
  });
}

/** Says a text, piece by piece. */
export async function espeak(call: SpeakCall, voices: ReadonlySet<string>): Promise<SpeakResult> {
  const voice = voiceOf(call, voices);
  const speed = String(Math.round(WORDS_PER_MINUTE * call.speed));
  const child = spawn(PROGRAM, ['-b', '1', '-v', voice, '-s', speed, '--stdin', '--stdout'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: call.signal,
    killSignal: 'SIGKILL',
  });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', (cause) => {
      // It may have been removed since.
      if (!call.signal.aborted) cachedVoices = null;
      reject(
        call.signal.aborted
          ? (call.signal.reason as Error)
          : new EngineError('unavailable', 'espeak-ng cannot be run', { cause }),
      );
    });
  });
  failed.catch(() => undefined);
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(call.input);

  const bytes = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let buffered = Buffer.alloc(0);
  while (buffered.length < HEAD_BYTES) {
    const { done, value } = await Promise.race([bytes.next(), failed]);
    if (done === true) throw new EngineError('protocol', 'espeak-ng made no sound');
    buffered = Buffer.concat([buffered, value]);
  }
  const sampleRate = buffered.readUInt32LE(24);
  async function* parts(): AsyncGenerator<Float32Array, void> {
    try {
      let rest = buffered.subarray(HEAD_BYTES);
      for (;;) {
        const whole = rest.length - (rest.length % 2);
        if (whole > 0) yield Float32Array.from({ length: whole / 2 }, (_, i) => rest.readInt16LE(i * 2) / 32_768);
        const { done, value } = await Promise.race([bytes.next(), failed]);
        if (done === true) return;
        rest = Buffer.concat([rest.subarray(whole), value]);
      }
    } finally {
      child.kill('SIGKILL');
    }
  }
  return { type: 'sound', sampleRate, parts: parts() };
}
