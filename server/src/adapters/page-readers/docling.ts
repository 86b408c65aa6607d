import { PageNotRead, type PageReader } from '../../ports/page-reader.ts';
import { askServer, fieldOf, pageFile, type ServerOptions } from './ask.ts';

/** Reads pages by a Docling Serve. Source: docling-serve, `POST /v1/convert/file`. */
export function createDoclingReader(server: ServerOptions): PageReader {
  return {
    async read({ picture, describeFigures, signal }) {
      const form = new FormData();
      form.set('files', pageFile(picture));
      const options = {
        from_formats: 'image',
        to_formats: 'md',
        image_export_mode: 'placeholder',
        ...(describeFigures ? { do_picture_description: 'true' } : {}),
      };
      for (const [name, value] of Object.entries(options)) form.set(name, value);
      const headers = server.apiKey === null ? {} : { 'X-Api-Key': server.apiKey };
      const reply = await askServer(server, { path: '/v1/convert/file', form, headers }, signal);
      const status = fieldOf(reply, 'status');
      const markdown = fieldOf(fieldOf(reply, 'document'), 'md_content');
      if ((status !== 'success' && status !== 'partial_success') || typeof markdown !== 'string')
        throw new PageNotRead('its server could not convert it');
      return markdown;
    },
  };
}
