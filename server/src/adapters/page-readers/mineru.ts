import { PageNotRead, type PageReader } from '../../ports/page-reader.ts';
import { askServer, fieldOf, pageFile, type ServerOptions } from './ask.ts';

/** Pictures that MinerU cut out of the page: they stay with it, so that their addresses lead nowhere. */
const cutOut = /!\[([^\]\n]*)\]\(images\/[^)\n]*\)/g;

/** Reads pages by a MinerU server (`mineru-api`). Source: MinerU, `POST /file_parse`. It does not describe figures. */
export function createMineruReader(server: ServerOptions): PageReader {
  return {
    async read({ picture, signal }) {
      const form = new FormData();
      form.set('files', pageFile(picture));
      form.set('lang_list', 'korean');
      form.set('return_md', 'true');
      const headers = server.apiKey === null ? {} : { Authorization: `Bearer ${server.apiKey}` };
      const reply = await askServer(server, { path: '/file_parse', form, headers }, signal);
      const results = fieldOf(reply, 'results');
      const [result] = typeof results === 'object' && results !== null ? Object.values(results) : [];
      const markdown = fieldOf(result, 'md_content');
      if (typeof markdown !== 'string') throw new PageNotRead('its server gave no text');
      return markdown.replaceAll(cutOut, '$1');
    },
  };
}
