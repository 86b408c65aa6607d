// A stream with the `ai` package and `@ai-sdk/openai-compatible`.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/ai-sdk.ts
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const studio = createOpenAICompatible({
  name: 'ai-studio',
  baseURL: `${process.env.STUDIO_URL}/v1`,
  apiKey: process.env.STUDIO_API_KEY!,
});

const result = streamText({ model: studio('CORE-GOV-THINK'), prompt: '3 더하기 5는?' });
for await (const piece of result.textStream) process.stdout.write(piece);
console.log('\nthinking:', (await result.finalStep).reasoningText);
