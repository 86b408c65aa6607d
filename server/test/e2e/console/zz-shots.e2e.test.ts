import { afterAll, beforeAll, test } from 'vitest';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { openUpstream, play, type Upstream } from '../../support/upstream.ts';
import { type Studio, administrator, callConsole, startStudio } from './studio.ts';
import { seriousFaults } from '../../support/browser.ts';

let upstream: Upstream;
let studio: Studio;
beforeAll(async () => {
  upstream = await openUpstream(['CORE-GOV', 'CORE-GOV-VLM', 'LLM42']);
  const engines = [{ engine: 'gpu' }];
  studio = await startStudio({
    config: {
      probe: { enabled: false },
      default_model: 'CORE-GOV',
      engines: { gpu: { addresses: [upstream.url] } },
      models: {
        'CORE-GOV': { kind: 'chat', engines },
        'CORE-GOV-VLM': { kind: 'chat', images: true, engines },
        LLM42: { kind: 'chat', engines },
      },
    },
  });
});
afterAll(async () => {
  await studio?.close();
  await upstream?.close();
});
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);
const ANSWER =
  '연차는 **열다섯 날**입니다 [1].\n\n| 항목 | 값 |\n|---|---|\n| 연차 | 15일 |\n\n이차방정식의 해는 $x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$ 입니다.\n\n$$ \\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi} $$\n\n```mermaid\nflowchart LR\n  A[문서] --> B{한글 파일?}\n  B -- 예 --> C[파서]\n  B -- 아니오 --> D[직접 색인]\n```\n\n가격은 $10 또는 $25 입니다.';
test('shots', async () => {
  for (const scheme of ['light', 'dark'] as const)
    for (const [name, viewport] of [
      ['wide', { width: 1440, height: 900 }],
      ['phone', { width: 390, height: 844 }],
    ] as const) {
      const person = await studio.signedIn(administrator.email, { viewport, colorScheme: scheme, locale: 'ko-KR' });
      const { page } = person;
      const shot = (what: string) => page.screenshot({ path: `/tmp/h/shots/${name}-${scheme}-${what}.png` });
      await callConsole(person, 'PATCH', '/me', { language: 'ko', theme: scheme });
      upstream.plays(play({ text: ANSWER }));
      await page.goto('/console/chat');
      await page.getByRole('textbox', { name: '메시지', exact: true }).waitFor();
      await shot('new');
      console.log(name, scheme, 'new', await seriousFaults(page));
      const writer = new PdfWriter();
      writer.page().text(72, 72, 'Holidays', { size: 20, bold: true }).text(72, 110, 'There are fifteen days.');
      await page.getByTestId('chat-files').setInputFiles([
        { name: '휴가 규정.pdf', mimeType: 'application/pdf', buffer: Buffer.from(writer.bytes()) },
        { name: '사진.png', mimeType: 'image/png', buffer: PNG },
      ]);
      await page.getByText('이 모델은 볼 수 없음').waitFor();
      await page.getByRole('textbox', { name: '메시지', exact: true }).fill('연차는 며칠인가요?\n#');
      await page.getByRole('textbox', { name: '메시지', exact: true }).press('End');
      await page.waitForTimeout(1500);
      await shot('files');
      console.log(name, scheme, 'files', await seriousFaults(page));
      await page.keyboard.press('Escape');
      await page.keyboard.press('Backspace');
      await page.getByRole('button', { name: '사진.png 빼기' }).click();
      await page.getByRole('button', { name: '보내기' }).click();
      await page.locator('article[aria-busy=false]').waitFor();
      await page.waitForTimeout(4000);
      await shot('answer');
      console.log(name, scheme, 'answer', await seriousFaults(page));
      await page.getByRole('button', { name: '고쳐서 묻기' }).waitFor();
      await page.locator('article button', { hasText: '휴가 규정.pdf' }).click();
      await page.waitForTimeout(2500);
      await shot('source');
      console.log(name, scheme, 'source', await seriousFaults(page));
      console.log(person.complaints);
      await person.close();
    }
}, 900_000);
