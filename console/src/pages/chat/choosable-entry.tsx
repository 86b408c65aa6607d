import type { ConversationSummary } from '@ai-studio/contract/console/conversations.ts';
import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './chat.module.css';
import type { Selection } from './use-selection.ts';

interface ChoosableEntryProps {
  readonly head: ConversationSummary;
  readonly selection: Selection;
}

/** A conversation in the list at the side while several are selected. */
export function ChoosableEntry({ head, selection }: ChoosableEntryProps) {
  const { t } = useTranslation('chat');
  const isChosen = selection.chosen.has(head.id);
  return (
    <li className={classes['entry']} data-open={isChosen}>
      <Checkbox
        size="xs"
        label={head.title || t('untitled')}
        checked={isChosen}
        data-conversation={head.id}
        onChange={() => selection.toggle(head)}
        onClick={selection.onClick}
        classNames={{
          root: classes['choice'] ?? '',
          body: classes['choiceBody'] ?? '',
          labelWrapper: classes['choiceLabel'] ?? '',
        }}
      />
    </li>
  );
}
