// A whole reply and a stream with the `openai` package, in Korean and English.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/chat.ts
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: `${process.env.STUDIO_URL}/v1`, apiKey: process.env.STUDIO_API_KEY });

const reply = await client.chat.completions.create({
  model: 'CORE-GOV-THINK',
  messages: [{ role: 'user', content: '15% of 240은 얼마인가요?' }],
});
const message = reply.choices[0]!.message as OpenAI.ChatCompletionMessage & { reasoning_content: string | null };
console.log('thinking:', message.reasoning_content);
console.log('answer:', message.content);

const stream = await client.chat.completions.create({
  model: 'CORE-GOV',
  messages: [{ role: 'user', content: 'Who are you?' }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
process.stdout.write('\n');
