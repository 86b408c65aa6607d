import type { Logger } from '../../kernel/log.ts';
import { toStudioError } from '../../ports/failure.ts';
import type { ScopeDeps } from './scope.ts';

/** Longest words about a failure: tools may fail with pages. */
const MAX_MESSAGE_LENGTH = 2_000;

const shortened = (message: string) =>
  message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;

/** Maps an error to the failure that callers of a run get. Details of an unexpected error go to the log only. */
export const createFailureOf =
  (log: Logger): ScopeDeps['failureOf'] =>
  (error, node) => {
    const { code, message } = toStudioError(error);
    if (code === 'internal') log.error({ err: error, node: node?.id }, 'agent node failed');
    const name = node === null ? '' : `${node.name || node.id}: `;
    return { code, message: shortened(`${name}${message}`), node: node?.id ?? null };
  };
