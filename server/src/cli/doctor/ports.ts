import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { Config } from '../../config/index.ts';
import { fail, ok, type Finding } from './finding.ts';

/** A service answers late while it waits for its database or a store, or where the machine has much to do: it is no stranger for that. */
const READINESS_TIMEOUT_MS = 10_000;

/** Null when the service could listen there, else the system's error code. */
function probePort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Whether the one who listens is an AI Studio. */
async function isAiStudio(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  try {
    const response = await fetch(`http://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`, {
      signal: AbortSignal.timeout(READINESS_TIMEOUT_MS),
    });
    return 'not_ready' in ((await response.json()) as object);
  } catch {
    return false;
  }
}

/** Name and number of the process that listens, where the system tells. */
function holderOf(port: number): string | null {
  for (const [program, ...args] of [
    ['ss', '-Hltnp', `sport = :${port}`],
    ['lsof', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fcp'],
  ] as const) {
    try {
      const text = execFileSync(program, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 2_000,
      });
      const found = /\(\("([^"]+)",pid=(\d+)/.exec(text) ?? /^p(?<pid>\d+)\nc(?<name>.+)$/m.exec(text);
      if (found?.groups) return `${found.groups['name']} (process ${found.groups['pid']})`;
      if (found) return `${found[1]} (process ${found[2]})`;
    } catch {
      // This system lacks the program; the next may be there.
    }
  }
  return null;
}

async function checkPort(subject: string, key: string, host: string, port: number): Promise<Finding> {
  const code = await probePort(host, port);
  if (code === null) return ok(subject, `${host}:${port} is free`);
  if (code === 'EADDRINUSE' && (await isAiStudio(host, port)))
    return ok(subject, `${host}:${port} is answered by a running AI Studio`);
  if (code === 'EADDRINUSE') {
    const holder = holderOf(port);
    return fail(
      subject,
      `${host}:${port} is in use${holder === null ? '' : ` by ${holder}`}`,
      `Stop that program, or set ${key} to another port.`,
    );
  }
  if (code === 'EACCES')
    return fail(
      subject,
      `${host}:${port} may not be opened by this user`,
      `Ports below 1024 need rights; set ${key} to a higher one.`,
    );
  return fail(
    subject,
    `${host}:${port} can't be opened (${code})`,
    `Is ${host} an address of this machine? See server.host.`,
  );
}

/** Whether the service's ports are free, and who has them where they are not. */
export async function checkPorts({ server, metrics }: Config): Promise<Finding[]> {
  const findings = [await checkPort('Port', 'server.port', server.host, server.port)];
  if (metrics.port !== undefined)
    findings.push(await checkPort('Metrics port', 'metrics.port', metrics.host, metrics.port));
  return findings;
}
