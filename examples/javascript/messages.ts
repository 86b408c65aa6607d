// Messages with `@anthropic-ai/sdk`, whole and streamed.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/messages.ts
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: process.env.STUDIO_URL!, apiKey: process.env.STUDIO_API_KEY! });
const request = { model: 'CORE-GOV-THINK', max_tokens: 1024 };

const message = await client.messages.create({ ...request, messages: [{ role: 'user', content: '12 × 12는?' }] });
for (const block of message.content) {
  if (block.type === 'thinking') console.log('thinking:', block.thinking);
  if (block.type === 'text') console.log('answer:', block.text);
}
console.log('tokens:', message.usage.input_tokens, message.usage.output_tokens);

const stream = client.messages.stream({ ...request, messages: [{ role: 'user', content: '3 더하기 5는?' }] });
stream.on('text', (piece) => process.stdout.write(piece));
const { stop_reason: reason } = await stream.finalMessage();
console.log('\nended:', reason);
