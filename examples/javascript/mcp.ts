// What clients of the Model Context Protocol get: the tools of the service, and an agent among them where STUDIO_AGENT names one.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/mcp.ts
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { STUDIO_URL, STUDIO_API_KEY, STUDIO_AGENT } = process.env;

const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${STUDIO_URL}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${STUDIO_API_KEY}` } },
  }),
);
console.log('revision:', client.getNegotiatedProtocolVersion());

const { tools } = await client.listTools();
console.log('tools:', tools.map(({ name }) => name).join(', '));

const file = Buffer.from('<h1>휴가</h1><p>연차 휴가는 15일이다.</p>').toString('base64');
const read = await client.callTool({ name: 'parse_document', arguments: { data: file, name: '규정.html' } });
console.log('read:', JSON.stringify(read.content));

if (STUDIO_AGENT) {
  const asked = { name: `agent_${STUDIO_AGENT}`, arguments: { message: '12 * 12 = ?' } };
  const said = await client.callTool(asked, { onprogress: ({ message }) => console.log('progress:', message) });
  console.log('agent:', said.structuredContent);
}
await client.close();
