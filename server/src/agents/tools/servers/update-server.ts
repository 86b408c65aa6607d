import type { Updateable } from 'kysely';
import { StudioError } from '../../../kernel/errors.ts';
import type { StoredTool } from '../../tables.ts';
import { type DatabaseDeps, isUniqueViolation, type Tables } from '../../../ports/database.ts';
import { storable, storableJson } from '../../runs/json.ts';
import type { Described } from '../openapi/changes.ts';
import type { Service } from '../openapi/operations.ts';
import type { ToolServerRow } from './rows.ts';

/** The failure of whoever gives a tool server the name of another. */
export const nameTaken = (name: string, cause: unknown): StudioError =>
  new StudioError('conflict', `There is a tool server ${name} already`, {
    param: 'name',
    reason: 'name_taken',
    values: { name },
    cause,
  });
const changedMeanwhile = () =>
  new StudioError('conflict', 'Somebody else has changed this tool server at the same moment; look at it anew');

/** Operations of a service as they are kept: the database holds no NUL and no halves of characters. */
export const storableService = ({ tools, leftOut }: Service): Described => ({
  tools: JSON.parse(storableJson(tools)) as StoredTool[],
  leftOut: leftOut.map(storable),
});

/** Writes a row where nobody else has changed it meanwhile; `tools`: null leaves them. Throws StudioError `conflict`. */
export async function updateServer(
  { db }: DatabaseDeps,
  row: Pick<ToolServerRow, 'id' | 'version' | 'name'>,
  changed: Updateable<Tables['tool_servers']>,
  tools: readonly StoredTool[] | null,
): Promise<void> {
  try {
    const written = await db.query
      .updateTable('tool_servers')
      .set((eb) => ({
        ...changed,
        ...(tools === null ? {} : { tools: storableJson(tools) }),
        version: eb('version', '+', 1),
        updated_at: new Date(),
      }))
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .returning('id')
      .executeTakeFirst();
    if (!written) throw changedMeanwhile();
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(changed.name ?? row.name, error) : error;
  }
}
