import { espeakVoices, findSpeechModels, speechFolder } from '../compose/speech.ts';
import { pullSpeechModel, speechWeights } from '../weights/index.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { createProgressWriter } from './progress.ts';
import { formatTable } from './output.ts';

type Context = Parameters<Command>[0];

const MB = 1_000_000;

/** `studio speech list`: models of this machine, and those that can be downloaded. */
async function list({ line, out, load }: Context): Promise<number> {
  const { own, rest } = extractFlags(line, ['json']);
  const { config } = load(rest);
  const here = (await findSpeechModels(speechFolder(config))).map(({ id, kind, family }) => ({ id, kind, family }));
  const espeak = (await espeakVoices()) !== null;
  const known = speechWeights.map((one) => ({ ...one, here: here.some(({ id }) => id === one.id) }));
  if (own.json) {
    out.print(JSON.stringify({ models: here, espeak_ng: espeak, known }, null, 2));
    return 0;
  }
  const rows = here.map(({ id, kind, family }) => [id, kind, family]);
  if (espeak) rows.push(['espeak-ng', 'speech', 'program']);
  out.print(rows.length === 0 ? 'No speech model is here.' : formatTable([['HERE', 'KIND', ''], ...rows]));
  const shown = known.map((one) => [
    one.id,
    one.kind,
    `${Math.round(one.bytes / MB)} MB`,
    one.licence,
    one.here ? 'here' : '',
    [`${one.title}: ${one.about.en}`, one.licenceNote?.en].filter(Boolean).join(' '),
  ]);
  out.print(`\n${formatTable([['MODEL', 'KIND', 'SIZE', 'LICENCE', '', ''], ...shown])}`);
  out.print(
    '\nDownload one with "studio speech pull MODEL". Other models of sherpa-onnx, and what was tried of these: docs/reference/speech.md.',
  );
  out.print('Their weights were not at hand where this version was tested: that they are found and asked rightly was.');
  return 0;
}

/** `studio speech pull ID`. Ctrl-C ends it; what came is kept. */
async function pull({ line, out, load }: Context, [what, ...more]: readonly string[]): Promise<number> {
  if (what === undefined || more.length > 0)
    throw new UsageError('Use "studio speech pull MODEL"; "studio speech list" lists models.');
  const { rest } = extractFlags(line, []);
  const { config } = load(rest);
  const { mirror, token = null, require_checksum: requireChecksum } = config.local_models;
  const stop = new AbortController();
  const onSignal = () =>
    stop.abort(new UsageError('The download was ended; what came is kept and continued the next time.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const writer = createProgressWriter(out);
  const note = speechWeights.find(({ id }) => id === what.toLowerCase())?.licenceNote?.en ?? null;
  if (note !== null) out.note(`! ${note}`);
  try {
    const id = await pullSpeechModel(what, {
      folder: speechFolder(config),
      mirror,
      token,
      requireChecksum,
      signal: stop.signal,
      onProgress: (file, { bytes, total, message }) =>
        writer.show(
          `${file}  ${Math.round(bytes / MB)}${total === null ? '' : ` of ${Math.round(total / MB)}`} MB${message === null ? '' : `  ${message}`}`,
          message,
        ),
    });
    writer.end();
    out.print(
      id === null ? `${what} is here already.` : `${id} is here. A service that runs offers it within seconds.`,
    );
    return 0;
  } finally {
    writer.end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

const commands = { list, pull } as const;

/** Speech models of this machine. */
export const speech: Command = async (context) => {
  const [name = 'list', ...positionals] = context.line.positionals;
  if (!Object.hasOwn(commands, name)) throw new UsageError('Use "studio speech list" or "studio speech pull MODEL".');
  return commands[name as keyof typeof commands](context, positionals);
};
