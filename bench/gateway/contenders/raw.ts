import { fileURLToPath } from 'node:url';
import { freePort } from '../children.ts';
import type { Contender } from './contender.ts';

/** The least a gateway in Node can do. */
export const raw: Contender = {
  name: 'raw',
  description: 'node:http and undici dispatch, bytes passed through, nothing else',
  async start({ programs, core, enginePort }) {
    const port = await freePort();
    const file = fileURLToPath(new URL('../raw.ts', import.meta.url));
    const program = programs.start(process.execPath, [file, String(port), `http://127.0.0.1:${enginePort}`], { core });
    return { program, target: { port, path: '/v1/chat/completions', headers: { authorization: 'Bearer none' } } };
  },
};
