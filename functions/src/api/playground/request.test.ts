import { PlaygroundRequest } from './request';

const attachmentsSchema = PlaygroundRequest.out.shape.attachments.unwrap();
const file = (media_type: string, bytes: string) => ({
  name: 'a file',
  media_type,
  data: Buffer.from(bytes).toString('base64'),
});

describe('the attachments of a playground request', () => {
  it.each([
    ['nine files', Array.from({ length: 9 }, () => file('application/json', '1')), 'at most 8 files'],
    ['no list', {}, 'must be an array'],
    ['another type', [file('text/html', 'x')], 'must be one of image/png, image/jpeg'],
    ['no name', [{ media_type: 'application/json', data: 'MQ==' }], 'must be a string'],
    ['no data', [{ name: 'x', media_type: 'application/json', data: '' }], 'must not be empty'],
  ])('are not read when the request has %s', (_, value, message) => {
    expect(attachmentsSchema.safeParse(value).error?.issues[0]?.message).toContain(message);
  });
});
