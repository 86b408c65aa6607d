// Finds the npm that the user has and runs it under a Node of our choice. Runs on Node 20 with nothing installed.
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { capture, SetupError } from './progress.mjs';

const isNpmCli = (file) => basename(file) === 'npm-cli.js' && existsSync(file);

/** The JavaScript file of npm's command line, wherever this system keeps it. */
function npmCli() {
  const own = process.env.npm_execpath;
  if (own && isNpmCli(own)) return own;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const link = join(folder, 'npm');
    if (!existsSync(link)) continue;
    const target = realpathSync(link);
    const beside = [
      target,
      join(dirname(target), 'npm-cli.js'),
      join(dirname(target), 'node_modules/npm/bin/npm-cli.js'),
      join(dirname(target), '../lib/node_modules/npm/bin/npm-cli.js'),
    ];
    const found = beside.find(isNpmCli);
    if (found) return found;
  }
  throw new SetupError('npm was not found. Install Node.js with npm (on Debian: apt-get install nodejs npm).');
}

const noNetwork = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/;

/** The lines in which npm says what went wrong; it puts the cause first and its manual last. */
function cause(output) {
  const lines = output.trimEnd().split('\n');
  const errors = lines.filter((line) => /^npm (error|ERR!) ?\S/.test(line));
  return (errors.length > 0 ? errors.slice(0, 12) : lines.slice(-12)).join('\n');
}

/** A version that npm's own cache of the registry does not know yet. */
const unknownVersion = /\b(?:ETARGET|E404)\b/;

/**
 * Runs npm with the given Node. What npm has in its cache is not asked for again: the lock files name each version with its
 * checksum, so there is nothing newer to hear, and a thousand questions took a third of an installation. Throws SetupError
 * that names the likely cause.
 */
export async function npm(node, args, { cwd, purpose }) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const run = (...more) => capture(node, [npmCli(), ...args, '--no-audit', '--no-fund', ...more], { cwd, env });
  let { code, output } = await run('--prefer-offline');
  if (code !== 0 && unknownVersion.test(output)) ({ code, output } = await run());
  if (code === 0) return;
  const offline = noNetwork.test(output);
  const advice = offline
    ? 'npm could not reach its package registry. Check the network, the proxy (HTTPS_PROXY) or the registry setting of npm, then run the same command again.'
    : 'Above is what npm said. Run the same command again once that is mended.';
  throw new SetupError(`${cause(output)}\n\nCould not ${purpose}. ${advice}`);
}
