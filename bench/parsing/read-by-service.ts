/**
 * Has a running service read documents, as they are seen or by its own reader, and keeps what it made of them as that of a peer:
 * `run.ts --folder … --peers …` then measures it beside the reader of this checkout. See docs/reference/parsing-quality.md.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { casesOf } from './cases.ts';
import { isDrawn, readByService, type ServicePeer } from './service-peer.ts';

const usage = `Usage: AI_STUDIO_KEY=… node bench/parsing/read-by-service.ts --folder path --peers path [options]

  --folder path   documents; those that are PDF or pictures are read
  --peers path    where <file>.<name>.md is written; what is there stays
  --url address   of the service (http://127.0.0.1:8080)
  --name name     what it is called in the report (layout)
  --parser type   parser_type of the calls (layout)
  --model id      the vision model that reads the pages; else what documents.layout names
`;

const POLL_MS = 1_000;
const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string' },
    peers: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    name: { type: 'string', default: 'layout' },
    parser: { type: 'string', default: 'layout' },
    model: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const key = process.env['AI_STUDIO_KEY'] ?? '';
const { folder, peers } = flags;
if (flags.help || folder === undefined || peers === undefined || key === '') {
  process.stdout.write(usage);
  process.exit(flags.help ? 0 : 2);
}
const peer: ServicePeer = {
  url: flags.url.replace(/\/+$/, ''),
  key,
  name: flags.name,
  fields: { parser_type: flags.parser, ...(flags.model === undefined ? {} : { layout_model: flags.model }) },
  pollMs: POLL_MS,
};
let refused = 0;
for (const one of casesOf(resolve(folder)).filter(isDrawn)) {
  const { state, seconds, told } = await readByService(peer, resolve(peers), one);
  if (state === 'refused') refused++;
  process.stdout.write(`${one.name}: ${state}, ${seconds.toFixed(1)} s ${told.join(', ')}\n`);
}
process.exitCode = refused === 0 ? 0 : 1;
