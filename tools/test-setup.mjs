// Installs the system programs that tests need and npm packages cannot provide. Does nothing where everything is there. Runs on Node 20
// with nothing installed.
import { capture, say, step } from './progress.mjs';

/** Programs that tests run: a command that tells whether it is there, one of another that would do, and the Debian package. */
const requiredPrograms = [
  { probe: ['curl', '--version'], debian: 'curl', without: 'the example that uses it fails' },
  { probe: ['python3', '--version'], debian: 'python3', without: 'the test of the code for Python fails' },
  {
    probe: ['chromium-headless-shell', '--version'],
    or: ['chromium', '--version'],
    debian: 'chromium-headless-shell',
    without: 'the tests of the console fail',
  },
  { probe: ['ffmpeg', '-version'], debian: 'ffmpeg', without: 'the tests of containers of sound fail' },
  { probe: ['espeak-ng', '--version'], debian: 'espeak-ng', without: 'the tests of speech fail' },
  { probe: ['redis-server', '--version'], debian: 'redis-server', without: 'the tests of many machines fail' },
];

/** Installs what is missing where this process may (root on Debian or Ubuntu); else says what will be left out. */
export async function installTestPrograms() {
  const isThere = async ([file, ...args]) => (await capture(file, args)).code === 0;
  const found = await Promise.all(
    requiredPrograms.map(async ({ probe, or = probe }) => (await isThere(probe)) || (await isThere(or))),
  );
  const missing = requiredPrograms.filter((_, i) => !found[i]);
  if (missing.length === 0) return;
  const apt = (await capture('apt-get', ['--version'])).code === 0;
  if (!apt || process.getuid?.() !== 0) {
    for (const need of missing) say(`! ${need.debian} is not installed: ${need.without}`);
    return;
  }
  const names = missing.map((need) => need.debian);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await step(`Installing ${names.join(', ')} for the tests`, async () => {
      await capture('apt-get', ['update', '-q'], { env });
      const { code, output } = await capture('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], {
        env,
      });
      if (code !== 0) throw new Error(output);
    });
  } catch (error) {
    say(error.message.trimEnd().split('\n').slice(-5).join('\n'));
    for (const need of missing) say(`! ${need.debian} could not be installed: ${need.without}`);
  }
}
