// A deployed agent with the official A2A client: its card, an answer as it is made, and what becomes of a stream that is cut.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… STUDIO_AGENT=agent_slug node examples/javascript/agent.ts
import { type Part, SendMessageRequest, type StreamResponse } from '@a2a-js/sdk';
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

const textOf = (parts: readonly Part[] = []) =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
/** The answer after an event: a piece adds to it, the task has all of it so far. */
function answerAfter(before: string, { payload }: StreamResponse): string {
  if (payload?.$case === 'task') return textOf(payload.value.artifacts[0]?.parts);
  return payload?.$case === 'artifactUpdate' ? before + textOf(payload.value.artifact?.parts) : before;
}

const question = SendMessageRequest.fromJSON({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: '12 × 12는 얼마인가요?' }] },
});
let answer = '';
let taskId = '';
for await (const event of client.sendMessageStream(question)) {
  answer = answerAfter(answer, event);
  if (event.payload?.$case === 'task') taskId = event.payload.value.id;
  // As if the connection broke here: the agent goes on.
  if (answer !== '') break;
}
try {
  for await (const event of client.resubscribeTask({ tenant: '', id: taskId })) answer = answerAfter(answer, event);
} catch {
  // It has ended meanwhile: it is read whole.
}
const task = await client.getTask({ tenant: '', id: taskId });
console.log('answer:', textOf(task.artifacts[0]?.parts) || answer);
console.log('session:', task.metadata?.['chat_session_id']);
