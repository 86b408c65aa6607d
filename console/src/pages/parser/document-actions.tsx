import type { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCode, IconCopy, IconDots, IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../api/client.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { type TextFormat, documentsQuery, fileAddress, removeDocument } from './queries.ts';
import { RemoveDialog } from './remove-dialog.tsx';

/** Fetched when it is wanted. */
const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }));

const downloads = ['markdown', 'html', 'text', 'json'] as const;

/** Puts the whole document on the clipboard, in one of its formats. */
function useCopy(id: string) {
  const { t } = useTranslation('parser');
  const { done, failed } = useNotify();
  return useMutation({
    mutationFn: async (format: TextFormat) => {
      const response = await send('GET', `/parser/${encodeURIComponent(id)}/file`, { query: { format } });
      await navigator.clipboard.writeText(await response.text());
    },
    onSuccess: () => done(t('copied')),
    onError: failed,
  });
}

/** What is done with a document that was read. */
export function DocumentActions({ document }: { readonly document: ParserDocument }) {
  const { t } = useTranslation('parser');
  const { t: common } = useTranslation('common');
  const { done } = useNotify();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate: copy, isPending } = useCopy(document.id);
  const [coded, { open: showCode, close: hideCode }] = useDisclosure(false);
  const [asked, { open: ask, close: leave }] = useDisclosure(false);
  const isRead = document.state === 'done';
  const remove = async ({ id }: ParserDocument) => {
    await removeDocument(id);
    await queries.invalidateQueries({ queryKey: documentsQuery.queryKey });
    await navigate({ to: '/parser' });
    queries.removeQueries({ queryKey: ['parser', id] });
    done(t('removed'));
  };
  return (
    <>
      {isRead ? (
        <>
          <Button
            variant="default"
            size="xs"
            visibleFrom="sm"
            leftSection={<IconCopy size={16} aria-hidden />}
            loading={isPending}
            onClick={() => copy('markdown')}
          >
            {t('copy_markdown')}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" size="xs" visibleFrom="sm" leftSection={<IconDownload size={16} aria-hidden />}>
                {t('download')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {downloads.map((format) => (
                <Menu.Item key={format} component="a" href={fileAddress(document.id, format)} download>
                  {t(`tabs.${format}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('actions')}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isRead ? (
            <>
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => copy('markdown')}>
                {t('copy_markdown')}
              </Menu.Item>
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => copy('json')}>
                {t('copy_json')}
              </Menu.Item>
              {downloads.map((format) => (
                <Menu.Item
                  key={format}
                  component="a"
                  href={fileAddress(document.id, format)}
                  download
                  hiddenFrom="sm"
                  leftSection={<IconDownload size={16} aria-hidden />}
                >
                  {`${t('download')}: ${t(`tabs.${format}`)}`}
                </Menu.Item>
              ))}
              <Menu.Item leftSection={<IconCode size={16} aria-hidden />} onClick={showCode}>
                {t('view_code')}
              </Menu.Item>
              <Menu.Divider />
            </>
          ) : null}
          <Menu.Item color="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={ask}>
            {common('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{coded ? <CodeDialog file={document.name ?? 'document'} onClose={hideCode} /> : null}</Suspense>
      <RemoveDialog document={asked ? document : null} onRemove={remove} onClose={leave} />
    </>
  );
}
