import { IconRobot, IconSparkles } from '@tabler/icons-react';
import classes from './chat.module.css';
import { isWithAgent, type Talk } from './talks.ts';

/** Shows whether a model or an agent answers; the words beside it say which. */
export function TalkMark({ talk }: { readonly talk: Talk }) {
  const Mark = isWithAgent(talk) ? IconRobot : IconSparkles;
  return <Mark size={16} stroke={1.6} aria-hidden className={classes['mark']} />;
}
