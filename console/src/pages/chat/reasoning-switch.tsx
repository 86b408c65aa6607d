import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBrain } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface ReasoningSwitchProps {
  readonly model: ChatModelOption | undefined;
  /** Undefined: as the model does by itself. */
  readonly value: boolean | undefined;
  readonly onChange: (value: boolean) => void;
}

/** Turns thinking on and off, for models that can be told. */
export function ReasoningSwitch({ model, value, onChange }: ReasoningSwitchProps) {
  const { t } = useTranslation('chat');
  if (!model?.reasoning_switch) return null;
  const on = value ?? model.reasoning === 'on';
  return (
    <Tooltip label={t(on ? 'reasoning_on' : 'reasoning_off')}>
      <ActionIcon
        size={36}
        variant={on ? 'light' : 'default'}
        aria-label={t('reasoning')}
        aria-pressed={on}
        onClick={() => onChange(!on)}
      >
        <IconBrain size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
