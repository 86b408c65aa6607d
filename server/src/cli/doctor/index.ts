import { ConfigError, describeProblem, type LoadedConfig } from '../../config/index.ts';
import { extractFlags } from '../args.ts';
import type { Output } from '../output.ts';
import type { Command } from '../command.ts';
import { checkDatabase } from './database.ts';
import { fail, ok, warn, type Finding } from './finding.ts';
import { checkDataFolder } from './folder.ts';
import { checkMachine } from './machine.ts';
import { checkModels } from './models.ts';
import { checkPorts } from './ports.ts';
import { checkRedis } from './redis.ts';
import { checkSearch } from './search.ts';

const marks = { ok: '✔', warn: '!', fail: '✘' } as const;

/** The configuration's own findings, and the configuration where it can be used. */
function readConfig(load: () => LoadedConfig): { loaded: LoadedConfig | null; findings: Finding[] } {
  const subject = 'Configuration';
  try {
    const loaded = load();
    const warnings = loaded.warnings.map((warning) =>
      warn(subject, describeProblem(warning), 'Correct the name, or remove it.'),
    );
    return { loaded, findings: [ok(subject, loaded.file ?? 'no file; defaults, environment and flags'), ...warnings] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      loaded: null,
      findings: error.problems.map((problem) =>
        fail(subject, describeProblem(problem), 'Correct it; studio.example.yaml shows every key.'),
      ),
    };
  }
}

function print(findings: readonly Finding[], out: Output): void {
  for (const { level, subject, text, advice } of findings) {
    out.print(`${marks[level]} ${subject}: ${text}`);
    if (advice !== null) out.print(`    ${advice}`);
  }
  const failed = findings.filter(({ level }) => level === 'fail').length;
  out.print('');
  out.print(
    failed === 0
      ? 'Nothing keeps the service from working.'
      : `${failed} ${failed === 1 ? 'thing keeps' : 'things keep'} the service from working.`,
  );
}

export const doctor: Command = async ({ line, out, load }) => {
  const { own, rest } = extractFlags(line, ['json']);
  const { loaded, findings } = readConfig(() => load(rest));
  if (loaded !== null) {
    const { config } = loaded;
    const results = await Promise.all([
      checkPorts(config),
      checkDatabase(config),
      checkRedis(config),
      checkSearch(config),
      checkModels(loaded),
    ]);
    findings.push(...checkMachine(config), ...checkDataFolder(config.data_dir), ...results.flat());
  }
  if (own.json) out.print(JSON.stringify(findings, null, 2));
  else print(findings, out);
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
};
