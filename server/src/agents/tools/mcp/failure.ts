import { StudioError } from '../../../kernel/errors.ts';
import { problem } from '../problem.ts';
import type { Reply } from './transport.ts';

const MAX_SERVER_MESSAGE_LENGTH = 2_000;

/** Why a reply holds no result. */
export function replyProblem({ status, response }: Reply): StudioError {
  const values = { status };
  if (status === 401 || status === 403)
    return problem('credentials', `The tool server asks for other credentials (status ${status}); see its headers`, {
      values,
    });
  if (response?.error) {
    const said = response.error.message.slice(0, MAX_SERVER_MESSAGE_LENGTH).toWellFormed();
    return problem('said', `The tool server says: ${said} (${response.error.code})`, { values: { said } });
  }
  if (status === 404 || status === 405)
    return problem('not_mcp', `At this address nothing speaks MCP over streamable HTTP (status ${status})`, { values });
  if (status !== 200 && status !== 202)
    return problem('status', `The tool server answered with status ${status}`, { values });
  return problem('broken_off', 'The tool server ended its answer too early, or answered something else than MCP');
}

/** An error of a session that could not be opened: what has no reason of its own is a timeout. */
export const openingProblem = (error: unknown): StudioError =>
  error instanceof StudioError ? error : problem('slow', 'The tool server did not answer in time', { cause: error });
