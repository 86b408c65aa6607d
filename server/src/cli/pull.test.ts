import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/postgres.ts';
import { loadConfig } from '../config/load.ts';
import { parseCommandLine } from './args.ts';
import { speechWeights } from '../weights/index.ts';
import { pullModel } from './pull.ts';
import { speech } from './speech.ts';

/** As a proxy gives its own page in place of a file. */
const PAGE = Buffer.from('<p>no such model</p>');

/** A hub that has one file, which is not the pinned one. */
const hub: RequestListener = (request, response) => {
  if (request.url?.includes('Qwen3-0.6B') !== true) return void response.writeHead(404).end();
  response.writeHead(200, { etag: '"1"', 'content-length': PAGE.length });
  response.end(PAGE);
};

let server: Server;
let dataFolder: string;
beforeAll(async () => {
  server = createServer(hub);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  dataFolder = temporaryFolder();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** What `studio models pull` says, or `studio speech pull` of a speech model, its failure included. */
async function pull(...args: readonly string[]): Promise<string> {
  const said: string[] = [];
  const out = { print: (line: string) => void said.push(line), note: (line: string) => void said.push(line) };
  const env = {
    STUDIO_DATA_DIR: dataFolder,
    STUDIO_LOCAL_MODELS_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const isSpeech = speechWeights.some(({ id }) => args.includes(id));
  const line = parseCommandLine(isSpeech ? ['pull', ...args] : args);
  const context = { line, out, load: () => loadConfig({ env, cwd: dataFolder }) };
  const ended = isSpeech ? speech(context) : pullModel(context, line.positionals);
  return await ended.then(
    () => said.join('\n'),
    (error: Error) => [...said, `failed: ${error.message}`].join('\n'),
  );
}

test('whoever downloads what is not pinned wholly is told what could not be verified, whose file it is, and how to take it', async () => {
  const said = await pull('kanana-2-3b');
  expect(said).toContain('"Powered by Kanana" is shown');
  expect(said).toContain('converted by DKTechin, not by the maker');
  expect(said).toContain('Its revision, SHA-256 could not be verified in public sources');
  expect(said).toContain('"studio models pull kanana-2-3b --unverified" takes what DKTechin/kanana gives');
  expect(said).toMatch(/^failed: kanana-2-3b is not pinned/m);
});

test('a file whose name could not be verified says so, and that the repository does not have it', async () => {
  const said = await pull('bge-m3-ko', '--unverified');
  expect(said).toContain('Its file name, revision, size, SHA-256 could not be verified');
  expect(said).toContain('what Neuwhufbox/BGE-m3-ko-gguf gives is taken');
  expect(said).toMatch(/^failed: 127.0.0.1 does not have it/m);
});

test('whoever downloads a speech model is told what its licence asks for', async () => {
  const said = await pull('supertonic-3');
  expect(said).toContain('! May be used commercially; its list of prohibited uses binds whoever offers it');
  expect(said).toMatch(/^failed: 127.0.0.1 does not have it/m);
});

test('a file of another size than the pinned one is refused, and the process goes on', async () => {
  const said = await pull('qwen3-0.6b');
  expect(said).toContain('has another Qwen3-0.6B-Q8_0.gguf than it should: 20 bytes, not 639446688');
  expect(said).not.toContain('could not be verified');
});
