import type { ConnectorReason } from '@ai-studio/contract/retrieval/connector-reasons.ts';
import type { ConnectorRun } from '@ai-studio/contract/retrieval/connector.ts';
import type { ErrorCode, StudioError } from '../kernel/errors.ts';

const MAX_REASON_LENGTH = 500;

/** Of failures of the service that have no name themselves. */
const byCode: Partial<Record<ErrorCode, ConnectorReason>> = {
  unsupported_media_type: 'format_unsupported',
  unprocessable: 'file_unreadable',
};

type Told = Omit<ConnectorRun['problems'][number], 'name' | 'code'>;

/** What a run tells of a failure: English words, and its name with values for words of others. Pure. */
export function toldOf({ message, reason, code, values }: StudioError): Told {
  const name = reason ?? byCode[code];
  return {
    reason: message.slice(0, MAX_REASON_LENGTH),
    ...(name === undefined ? {} : { reason_code: name }),
    ...(Object.keys(values).length === 0 ? {} : { reason_values: { ...values } }),
  };
}
