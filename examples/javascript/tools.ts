// A tool loop over two turns with the `openai` package.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/tools.ts
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: `${process.env.STUDIO_URL}/v1`, apiKey: process.env.STUDIO_API_KEY });

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Current weather of a city (도시의 현재 날씨)',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: '서울 날씨 알려줘' }];

const first = await client.chat.completions.create({ model: 'CORE-GOV-THINK', messages, tools });
const message = first.choices[0]!.message;
messages.push(message);
for (const call of message.tool_calls ?? []) {
  if (call.type !== 'function') continue;
  console.log('call:', call.function.name, call.function.arguments);
  messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify({ sky: '맑음', celsius: 21 }) });
}

const second = await client.chat.completions.create({ model: 'CORE-GOV-THINK', messages, tools });
console.log('answer:', second.choices[0]!.message.content);
