import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';

export function Page() {
  const { t } = useTranslation('reset');
  const { t: common } = useTranslation('common');
  return (
    <>
      <PageHeader title={t('title')} />
      <EmptyState title={common('soon')} />
    </>
  );
}
