import { type ServiceTextProblem, serviceTextProblems } from '@ai-studio/contract/console/agents.ts';
import { Alert, Code } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useErrorMessage } from '../../parts/use-error-message.ts';

const isProblem = (value: unknown): value is ServiceTextProblem => serviceTextProblems.some((known) => known === value);

/** Why a server was not kept; of a document, what is wrong with it. */
export function SaveFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('toolsPage');
  const errorMessage = useErrorMessage();
  const { problem, detail, status } = error instanceof ApiError ? error.values : {};
  if (!isProblem(problem)) return <FormAlert error={error} />;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={errorMessage(error)}
    >
      {t(`service_problems.${problem}`, { status: status ?? '' })}
      {detail === undefined || detail === '' ? null : <Code ml="xs">{detail}</Code>}
    </Alert>
  );
}
