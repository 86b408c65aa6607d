import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SubmitDialog } from '../overview/submit-dialog.tsx';

interface SubmitProps {
  readonly agent: AgentDetails;
  /** Errors that are to be mended first. */
  readonly errors: number;
  readonly flush: () => Promise<boolean>;
}

/** Saves the draft and asks for its deployment. */
export function Submit({ agent, errors, flush }: SubmitProps) {
  const { t } = useTranslation('agentBuilder');
  const [opened, setOpened] = useState(false);
  const waits = agent.state === 'pending_review';
  return (
    <>
      <Button
        size="xs"
        disabled={errors > 0 || waits || agent.state === 'archived'}
        onClick={() => void flush().then(setOpened)}
      >
        {waits ? t('in_review') : t('submit')}
      </Button>
      {opened ? <SubmitDialog agent={agent} onClose={() => setOpened(false)} /> : null}
    </>
  );
}
