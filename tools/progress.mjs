// Plain progress lines for steps that take seconds or minutes. Runs on Node 20 with nothing installed.
import { spawn } from 'node:child_process';

const HEARTBEAT_MS = 5_000;

/** A failure with a message for people; its stack is of no use to them. */
export class SetupError extends Error {}

const seconds = (startedAt) => {
  const ms = Date.now() - startedAt;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
};

export const say = (line) => process.stderr.write(`${line}\n`);

/**
 * Runs `work` between a line that says what begins and one that says how long it took, with a sign of life every
 * five seconds in between.
 */
export async function step(title, work) {
  const startedAt = Date.now();
  say(`▸ ${title} …`);
  const heartbeat = setInterval(() => say(`  … ${seconds(startedAt)}`), HEARTBEAT_MS);
  try {
    const result = await work();
    say(`✔ ${title} (${seconds(startedAt)})`);
    return result;
  } catch (error) {
    say(`✘ ${title} (${seconds(startedAt)})`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Runs a program quietly and returns its exit code and what it printed. Never throws. */
export function capture(file, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk) => (output += chunk.toString('utf8'));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
    child.once('close', (code, signal) => resolve({ code: code ?? (signal ? 1 : 0), output }));
    const end = (signal) => child.kill(signal);
    process.once('SIGINT', end).once('SIGTERM', end);
    child.once('close', () => process.off('SIGINT', end).off('SIGTERM', end));
  });
}
