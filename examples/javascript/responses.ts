// The Responses interface: a conversation that is kept, and an answer in the background whose stream is left and gone on with.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/responses.ts
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: `${process.env.STUDIO_URL}/v1`, apiKey: process.env.STUDIO_API_KEY });
const model = 'CORE-GOV';

const conversation = await client.conversations.create({ metadata: { topic: 'sums' } });
const first = await client.responses.create({ model, conversation: conversation.id, input: '12 * 12?' });
console.log('answer:', first.output_text);

let id = '';
let last = -1;
let text = '';
const begun = await client.responses.create({
  model,
  conversation: conversation.id,
  input: '7 * 8?',
  background: true,
  stream: true,
});
for await (const event of begun) {
  last = event.sequence_number;
  if (event.type === 'response.created') ({ id } = event.response);
  if (event.type === 'response.output_text.delta') {
    text += event.delta;
    break;
  }
}
for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: last }))
  if (event.type === 'response.output_text.delta') text += event.delta;
console.log('in the background:', text);

const items = await client.conversations.items.list(conversation.id, { order: 'asc' });
console.log('items:', items.data.map((item) => (item.type === 'message' ? item.role : item.type)).join(', '));
