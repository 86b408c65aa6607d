import type { Output } from './output.ts';

const LINE_MS = 1_000;

/** One line that changes in a terminal; else a line a second, and each message once. */
export function createProgressWriter(out: Output) {
  const terminal = process.stderr.isTTY;
  let last = -Infinity;
  let told: string | null = null;
  return {
    show(line: string, message: string | null): void {
      if (terminal) return void process.stderr.write(`\r\u001b[K${line}`);
      if (performance.now() - last < LINE_MS && message === told) return;
      told = message;
      last = performance.now();
      out.note(line);
    },
    end: () => void (terminal && process.stderr.write('\r\u001b[K')),
  };
}
