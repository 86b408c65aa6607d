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
  const heartbeat = setInterval(() => say(`  … ${title} (${seconds(startedAt)})`), HEARTBEAT_MS);
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

/** Programs that run quietly now; a signal to this process is for them too. */
const running = new Set();
const endAll = (signal) => running.forEach((child) => child.kill(signal));

function track(child) {
  if (running.size === 0) process.on('SIGINT', endAll).on('SIGTERM', endAll);
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    if (running.size === 0) process.off('SIGINT', endAll).off('SIGTERM', endAll);
  });
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
    track(child);
  });
}
