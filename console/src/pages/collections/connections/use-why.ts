import { type ConnectorReason, connectorReasons } from '@ai-studio/contract/retrieval/connector-reasons.ts';
import type { ConnectorRun } from '@ai-studio/contract/retrieval/connector.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../parts/use-format.ts';

type Failure = NonNullable<ConnectorRun['failure']>;

/** What is shown of a failure: in the language of the page, with English words under it where it has none for the reason. */
interface Why {
  readonly title: string;
  readonly english: string | null;
}

/** Classes of failures that have words of their own; of others their class says too little. */
const knownCodes = ['forbidden', 'not_found', 'too_large', 'unsupported_media_type', 'unavailable'] as const;

const isKnown = (reason: string | null): reason is ConnectorReason =>
  (connectorReasons as readonly (string | null)[]).includes(reason);

/** Why a document, or a run as a whole, failed. */
export function useWhy(): (failure: Failure) => Why {
  const { t } = useTranslation('connections');
  const { bytes, number } = useFormat();
  const shown = (name: string, value: string | number) =>
    typeof value === 'string' || name === 'status' ? value : name.endsWith('_bytes') ? bytes(value) : number(value);
  return ({ code, reason, reason_code: given = null, reason_values: values = {} }) => {
    // Runs of earlier versions have no reason by its name, but for those that were their class.
    const name = [given, code].find(isKnown);
    if (name !== undefined) {
      const written = Object.entries(values).map(([key, value]) => [key, shown(key, value)] as const);
      return { title: t(`reasons.${name}`, Object.fromEntries(written)), english: null };
    }
    const known = knownCodes.find((one) => one === code);
    return { title: known === undefined ? t('codes.other') : t(`codes.${known}`), english: reason };
  };
}
