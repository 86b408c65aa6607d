import { Loader } from '@mantine/core';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../connection.ts';
import classes from './shell.module.css';

export const ConnectionContext = createContext<Connection | null>(null);

const never = () => () => undefined;

/** Says that the service cannot be reached, while it cannot; it is asked again by itself. */
export function AwayBanner() {
  const { t } = useTranslation('shell');
  const connection = useContext(ConnectionContext);
  const away = useSyncExternalStore(connection?.subscribe ?? never, () => connection?.isAway() ?? false);
  return (
    <div role="status" className={classes['away']} data-shown={away}>
      {away ? (
        <>
          <Loader size={14} color="currentColor" aria-hidden />
          <span>{t('away')}</span>
        </>
      ) : null}
    </div>
  );
}
