import type { Output } from './output.ts';

const LINE_INTERVAL_MS = 1_000;

/** One line that changes in a terminal; else a line a second, and each message once. */
export function createProgressWriter(out: Output) {
  const terminal = process.stderr.isTTY;
  let lastLineMs = -Infinity;
  let lastMessage: string | null = null;
  return {
    show(line: string, message: string | null): void {
      if (terminal) return void process.stderr.write(`\r\u001b[K${line}`);
      if (performance.now() - lastLineMs < LINE_INTERVAL_MS && message === lastMessage) return;
      lastMessage = message;
      lastLineMs = performance.now();
      out.note(line);
    },
    end: () => void (terminal && process.stderr.write('\r\u001b[K')),
  };
}
