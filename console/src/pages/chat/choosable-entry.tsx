import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './chat.module.css';
import { TalkMark } from './talk-mark.tsx';
import { isWithAgent, type Talk, talkKey } from './talks.ts';
import type { Selection } from './use-selection.ts';

interface ChoosableEntryProps {
  readonly talk: Talk;
  readonly selection: Selection;
}

/** A conversation or a talk with an agent in the list at the side while several are selected. */
export function ChoosableEntry({ talk, selection }: ChoosableEntryProps) {
  const { t } = useTranslation('chat');
  const key = talkKey(talk);
  const isChosen = selection.chosen.has(key);
  return (
    <li className={classes['entry']} data-open={isChosen}>
      <Checkbox
        size="xs"
        label={talk.title || t('untitled')}
        {...(isWithAgent(talk) ? { description: talk.agent_name } : {})}
        checked={isChosen}
        data-conversation={key}
        onChange={() => selection.toggle(talk)}
        onClick={selection.onClick}
        classNames={{
          root: classes['choice'] ?? '',
          body: classes['choiceBody'] ?? '',
          labelWrapper: classes['choiceLabel'] ?? '',
          description: classes['choiceAgent'] ?? '',
        }}
      />
      <TalkMark talk={talk} />
    </li>
  );
}
