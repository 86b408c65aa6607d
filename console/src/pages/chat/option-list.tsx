import { Anchor, Loader, Text, VisuallyHidden } from '@mantine/core';
import { type Icon, IconBlockquote, IconBooks, IconRobot } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';
import type { Option, Sign } from './use-options.ts';

interface OptionListProps {
  readonly id: string;
  /** Id of the option at a place. */
  readonly optionId: (at: number) => string;
  readonly sign: Sign;
  readonly options: readonly Option[];
  readonly isPending: boolean;
  readonly pointed: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (option: Option) => void;
}

const icons: Readonly<Record<Sign, Icon>> = { '/': IconBlockquote, '#': IconBooks, '@': IconRobot };
const labels = { '/': 'choose_prompt', '#': 'choose_collection', '@': 'choose_agent' } as const;
const nothing = { '/': 'no_prompts', '#': 'no_collections', '@': 'no_agents' } as const;

/** What `/`, `#` and `@` offer, above the card; the field keeps the focus. */
export function OptionList({ id, optionId, sign, options, isPending, pointed, onPoint, onChoose }: OptionListProps) {
  const { t } = useTranslation('chat');
  const label = t(labels[sign]);
  const Picture = icons[sign];
  return (
    <div className={classes['options']}>
      <Text size="xs" c="dimmed" px={10} py={4}>
        {label}
      </Text>
      {isPending ? <Loader size="sm" m="xs" /> : null}
      {!isPending && options.length === 0 ? (
        <Text size="sm" px={10} py={6} role="status">
          {t(nothing[sign])}
        </Text>
      ) : null}
      <div role="listbox" id={id} aria-label={label}>
        {options.map((option, at) => (
          // The field has the focus, and its keys choose.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={option.key}
            id={optionId(at)}
            role="option"
            tabIndex={-1}
            aria-selected={at === pointed}
            className={classes['option']}
            ref={at === pointed ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            onMouseMove={() => onPoint(at)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            <Picture size={18} aria-hidden />
            <div className={classes['optionText']}>
              <Text size="sm" truncate>
                {option.name}
              </Text>
              {option.detail === '' ? null : (
                <Text size="xs" c="dimmed" truncate>
                  {option.detail}
                </Text>
              )}
            </div>
          </div>
        ))}
      </div>
      {/* The field keeps the focus: what opened above it is told. */}
      <VisuallyHidden role="status">
        {isPending || options.length === 0 ? '' : t('options_count', { count: options.length })}
      </VisuallyHidden>
      {sign === '/' && !isPending ? (
        <Anchor size="xs" px={10} py={4} display="block" renderRoot={(props) => <Link to="/prompts" {...props} />}>
          {t('manage_prompts')}
        </Anchor>
      ) : null}
    </div>
  );
}
