import { Loader, Text } from '@mantine/core';
import { IconBooks, IconRobot } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';
import type { Option, Sign } from './use-options.ts';

interface OptionListProps {
  readonly id: string;
  readonly sign: Sign;
  readonly options: readonly Option[];
  readonly isPending: boolean;
  readonly pointed: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (option: Option) => void;
}

export const optionId = (list: string, at: number): string => `${list}-${at}`;

/** What `#` and `@` offer, above the card; the field keeps the focus. */
export function OptionList({ id, sign, options, isPending, pointed, onPoint, onChoose }: OptionListProps) {
  const { t } = useTranslation('chat');
  const label = t(sign === '#' ? 'choose_collection' : 'choose_agent');
  return (
    <div className={classes['options']}>
      <Text size="xs" c="dimmed" px={10} py={4}>
        {label}
      </Text>
      {isPending ? <Loader size="sm" m="xs" /> : null}
      {!isPending && options.length === 0 ? (
        <Text size="sm" px={10} py={6} role="status">
          {t(sign === '#' ? 'no_collections' : 'no_agents')}
        </Text>
      ) : null}
      <div role="listbox" id={id} aria-label={label}>
        {options.map((option, at) => (
          // The field has the focus, and its keys choose.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={option.key}
            id={optionId(id, at)}
            role="option"
            tabIndex={-1}
            aria-selected={at === pointed}
            className={classes['option']}
            ref={at === pointed ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            onMouseMove={() => onPoint(at)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            {sign === '#' ? <IconBooks size={18} aria-hidden /> : <IconRobot size={18} aria-hidden />}
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
    </div>
  );
}
