import type { ConversationFolder } from '@ai-studio/contract/console/conversations.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { createFolder, deleteFolder, foldersQuery, renameFolder } from './folders.ts';
import { changeTalk, readTalksAgain } from './talk-calls.ts';
import type { Talk } from './talks.ts';

/** What is done with folders in a dialog. */
export type FolderAct =
  | { readonly kind: 'rename' | 'remove'; readonly folder: ConversationFolder }
  /** A new one, into which talks are moved. */
  | { readonly kind: 'make'; readonly talks: readonly Talk[] };

/** Makes, renames and deletes folders. */
export function FolderDialog({ act, onClose }: { readonly act: FolderAct; readonly onClose: () => void }) {
  const { t } = useTranslation('chatTools');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const readAgain = () =>
    Promise.all([queries.invalidateQueries({ queryKey: foldersQuery.queryKey }), readTalksAgain(queries)]);
  if (!useLazyNamespace('chatTools')) return null;
  if (act.kind === 'remove')
    return (
      <ConfirmDialog
        opened
        title={t('folder_remove')}
        confirmLabel={common('remove')}
        onClose={onClose}
        onConfirm={async () => {
          await deleteFolder(act.folder.id);
          await readAgain();
        }}
      >
        {t('folder_remove_hint', { name: act.folder.name })}
      </ConfirmDialog>
    );
  const isNew = act.kind === 'make';
  return (
    <NameDialog
      opened
      title={t(isNew ? 'folder_new' : 'folder_rename')}
      label={t('folder_name')}
      name={isNew ? '' : act.folder.name}
      saveLabel={isNew ? t('folder_make') : common('save')}
      onClose={onClose}
      onSave={async (name) => {
        if (act.kind !== 'make') await renameFolder(act.folder.id, name);
        else {
          const { id } = await createFolder(name);
          await forEachConcurrently(act.talks, (talk) => changeTalk(talk, { folder: id }));
        }
        await readAgain();
      }}
    />
  );
}
