// An agent that is given data and a file, and answers with a table and files, by the official A2A client. Import examples/agents/table.json
// in the console for such an agent.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug node examples/javascript/agent-parts.ts
import { SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';

const withKey: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${process.env.STUDIO_API_KEY}`);
  return fetch(url, { ...init, headers });
};
const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl: withKey })] });
const client = await factory.createFromUrl(
  `${process.env.STUDIO_URL}/api/v1/external/agents/${process.env.STUDIO_AGENT}/a2a`,
);
const { defaultInputModes: takes, defaultOutputModes: gives } = await client.getAgentCard();
console.log('takes:', takes.slice(0, 3).join(', '), '…', 'gives:', gives.join(', '));

const note = { raw: Buffer.from('# 비품\n\n연필은 3층에 있다.').toString('base64'), filename: 'note.md' };
const request = SendMessageRequest.fromJSON({
  message: {
    messageId: crypto.randomUUID(),
    role: 'ROLE_USER',
    parts: [{ text: '비품 목록' }, { data: { rows: [{ item: '연필', count: 3 }] } }, note],
  },
});
for await (const { payload } of client.sendMessageStream(request)) {
  if (payload?.$case !== 'artifactUpdate') continue;
  for (const { content, filename } of payload.value.artifact?.parts ?? []) {
    if (content?.$case === 'text' && content.value !== '') console.log('text:', content.value);
    if (content?.$case === 'data') console.log('data:', JSON.stringify(content.value));
    if (content?.$case === 'raw') console.log('file:', filename, content.value.length, 'bytes');
  }
}
