import { describe, expect, it } from 'vitest';
import { estimatePrompt } from './prompt-estimate.ts';

const body = (content: string) => Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] }));

// Tokens of these texts as four tokenizers count them: o200k, Qwen 3, DeepSeek V3 and Llama 2, in the packages of npm that have them.
const texts = [
  [
    'English prose',
    'The committee met on Tuesday and agreed to publish its findings. '.repeat(100),
    [1201, 1201, 1201, 1502],
  ],
  ['Korean prose', '위원회는 화요일에 모여 조사 결과를 공개하기로 하였다. '.repeat(100), [1800, 2100, 2001, 3502]],
  ['figures', '4827165093 '.repeat(200), [1000, 2200, 1000, 2202]],
  ['Chinese', '委员会于星期二开会决定公布调查结果。'.repeat(100), [1100, 1000, 900, 2202]],
  ['Japanese', '委員会は火曜日に会議を開き、調査結果を公表することにした。'.repeat(100), [2400, 2300, 2000, 4102]],
  ['Russian', 'Комитет собрался во вторник и решил опубликовать свои выводы. '.repeat(100), [1801, 2002, 1801, 2302]],
  ['emoji', '😀🎉🚀'.repeat(100), [500, 300, 600, 1202]],
] as const;

describe('the estimate of a prompt', () => {
  it.each(texts)('of %s holds what tokenizers count', (_name, text, counts) => {
    const { low, likely, high, bytes } = estimatePrompt(body(text), false);
    for (const tokens of counts) {
      expect(tokens).toBeGreaterThan(low);
      expect(tokens).toBeLessThan(high);
      expect(tokens).toBeLessThan(bytes);
    }
    expect(likely).toBeGreaterThan(low);
    expect(likely).toBeLessThan(high);
  });

  it('takes an escaped syllable for a syllable', () => {
    const plain = estimatePrompt(Buffer.from('"안녕하세요"'), false);
    const escaped = estimatePrompt(Buffer.from(String.raw`"\uc548\ub155\ud558\uc138\uc694"`), false);
    expect([escaped.low, escaped.likely, escaped.high]).toEqual([plain.low, plain.likely, plain.high]);
  });

  it('leaves the bytes of images out', () => {
    const image = (data: string) =>
      Buffer.from(
        JSON.stringify({
          messages: [
            {
              role: 'user',
              content: [
                { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
                { type: 'text', text: 'What is it?' },
              ],
            },
          ],
        }),
      );
    expect(estimatePrompt(image('A'.repeat(1_000_000)), true).high).toBe(estimatePrompt(image('A'), true).high);
  });
});
