// A deployed agent with the official A2A client: its card, an answer as it is made, and what becomes of a stream that is cut.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug node examples/agent.ts
import { SendMessageRequest, type StreamResponse } from '@a2a-js/sdk';
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
console.log('agent:', (await client.getAgentCard()).name);

const update = ({ payload }: StreamResponse) => (payload?.$case === 'statusUpdate' ? payload.value : undefined);
const textOf = (event: StreamResponse) =>
  update(event)
    ?.status?.message?.parts.map(({ content }) => (content?.$case === 'text' ? content.value : ''))
    .join('') ?? '';

const question = SendMessageRequest.fromJSON({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: '12 × 12는 얼마인가요?' }] },
});
let answer = '';
let taskId = '';
let lastEvent = '';
for await (const event of client.sendMessageStream(question)) {
  answer += textOf(event);
  taskId = update(event)?.taskId ?? taskId;
  // Its number stands behind the task's id.
  lastEvent = update(event)?.status?.message?.messageId.split('-').at(-1) ?? lastEvent;
  // As if the connection broke here: the agent goes on.
  if (answer !== '') break;
}
const goOn = { serviceParameters: { 'Last-Event-ID': lastEvent } };
for await (const event of client.resubscribeTask({ tenant: '', id: taskId }, goOn)) answer += textOf(event);
console.log('answer:', answer);

const task = await client.getTask({ tenant: '', id: taskId });
console.log('session:', task.metadata?.['chat_session_id']);
