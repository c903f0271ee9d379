/** Texts of many kinds, each with its count by o200k_base (gpt-tokenizer 4.0.0). The rates were fitted on others. */
export const COUNTED_TEXTS = [
  {
    kind: 'English prose',
    tokens: 52,
    text: 'The night train left the harbour town a little after nine, carrying fishermen, two nurses on their way home and a boy with a cello. Nobody spoke much. Rain ran down the windows, and the lamps along the coast went by like slow, patient stars.',
  },
  {
    kind: 'English, technical',
    tokens: 43,
    text: 'Once the replica has caught up, promote it: stop writes on the primary, wait until the replication lag is zero, then switch the load balancer. If authentication fails afterwards, check that the certificates were renewed.',
  },
  {
    kind: 'German',
    tokens: 46,
    text: 'Die Straßenbahnhaltestelle vor dem Krankenhaus wird im Frühjahr umgebaut. Während der Bauarbeiten fahren Ersatzbusse; Fahrgäste müssen mit Verspätungen rechnen und sollten ausreichend Umsteigezeit einplanen.',
  },
  {
    kind: 'French',
    tokens: 50,
    text: "Le marché s'installe chaque samedi sur la place de l'église. On y trouve des fromages de chèvre, du miel, des légumes encore couverts de terre et, l'été, les premières pêches de la vallée.",
  },
  {
    kind: 'Spanish',
    tokens: 36,
    text: 'La biblioteca abre a las nueve de la mañana y cierra tarde. Los niños pueden llevarse hasta cinco libros, pero tienen que devolverlos antes de que terminen las vacaciones.',
  },
  {
    kind: 'Russian',
    tokens: 54,
    text: 'Вечером мы пили чай на веранде и слушали, как дождь стучит по крыше. Бабушка рассказывала о своей молодости, а кошка спала у неё на коленях и не обращала на нас внимания.',
  },
  {
    kind: 'Arabic',
    tokens: 48,
    text: 'ذهبت إلى السوق صباح اليوم واشتريت خبزًا طازجًا وبعض الفاكهة. كان الجو جميلاً والشوارع مزدحمة بالناس، ثم عدت إلى البيت وأعددت القهوة لأسرتي.',
  },
  {
    kind: 'Hindi',
    tokens: 41,
    text: 'आज सुबह मैं बाज़ार गया और ताज़ी सब्ज़ियाँ खरीदीं। मौसम अच्छा था और सड़क पर बहुत भीड़ थी। घर लौटकर मैंने परिवार के लिए चाय बनाई।',
  },
  {
    kind: 'Chinese',
    tokens: 46,
    text: '今天早上我去市场买了新鲜的蔬菜和水果。天气很好，街上有很多人。回家以后，我给家人泡了一壶茶，然后坐在窗边看书。',
  },
  {
    kind: 'Japanese',
    tokens: 65,
    text: '今朝、市場へ行って新鮮な野菜と果物を買いました。天気がよくて、通りには人がたくさんいました。家に帰ってから、家族のためにお茶をいれ、窓のそばで本を読みました。',
  },
  {
    kind: 'Korean',
    tokens: 52,
    text: '오늘 아침에 시장에 가서 신선한 채소와 과일을 샀습니다. 날씨가 좋아서 거리에 사람이 많았습니다. 집에 돌아와 가족을 위해 차를 끓이고 창가에서 책을 읽었습니다.',
  },
  {
    kind: 'Python',
    tokens: 68,
    text: 'from dataclasses import dataclass\n\n\n@dataclass\nclass Account:\n    owner: str\n    balance: float = 0.0\n\n    def withdraw(self, amount: float) -> None:\n        if amount > self.balance:\n            raise ValueError(f"{self.owner} has only {self.balance}")\n        self.balance -= amount\n',
  },
  {
    kind: 'TypeScript',
    tokens: 64,
    text: "export async function loadUsers(ids: readonly string[]): Promise<User[]> {\n  const rows = await db.query('SELECT * FROM users WHERE id = ANY($1)', [ids]);\n  return rows.map(({ id, full_name: name }) => ({ id, name, isAdmin: ADMINS.has(id) }));\n}\n",
  },
  {
    kind: 'JSON, minified',
    tokens: 75,
    text: '{"orders":[{"id":1042,"customer":{"name":"Ada","email":"ada@example.org"},"items":[{"sku":"AB-12","qty":3,"price":4.5},{"sku":"CD-34","qty":1,"price":19.99}],"paid":true,"note":null}],"page":1,"total":57}',
  },
  {
    kind: 'JSON, pretty',
    tokens: 79,
    text: '{\n  "name": "weather",\n  "version": 3,\n  "stations": [\n    {\n      "city": "Bergen",\n      "rainy": true,\n      "temperature": 7.5\n    },\n    {\n      "city": "Porto",\n      "rainy": false,\n      "temperature": 21.0\n    }\n  ]\n}\n',
  },
  {
    kind: 'Markdown table',
    tokens: 76,
    text: '| Model | Context | Price | Notes |\n|---|---:|---:|---|\n| small | 32,000 | $0.15 | fast, cheap |\n| medium | 128,000 | $2.50 | **default** |\n| large | 1,000,000 | $10.00 | slow; see `limits` |\n',
  },
  {
    kind: 'Base64',
    tokens: 92,
    text: 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==R0lGODdhAQABAPAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=',
  },
  {
    kind: 'Hex',
    tokens: 73,
    text: 'da39a3ee5e6b4b0d3255bfef95601890afd80709e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b8559f86d081884c7d659a2feaa0',
  },
  {
    kind: 'URLs',
    tokens: 47,
    text: 'https://shop.example.net/catalogue/garden/tools?sort=price&page=3 https://docs.example.io/guides/getting-started#install ftp://files.example.org/pub/releases/v2.10.4/archive.tar.gz',
  },
  {
    kind: 'Digits',
    tokens: 52,
    text: '2718281828459045235360287471352662497757 1,414.2136 007 1999-12-31 23:59:58 192.168.10.254 88 5,000,000',
  },
  { kind: 'Emoji', tokens: 36, text: '😀😂🥳🚀🌍🍕🐙🎉🔧📚 🙏🙏 💜🧠👀 🦊🌈☕️' },
  {
    kind: 'Whitespace-heavy code',
    tokens: 47,
    text: '<ul>\n        <li>\n                <a href="/">\n                        Home\n                </a>\n        </li>\n\n\n        <li>\n                <a href="/faq">\n                        FAQ\n                </a>\n        </li>\n</ul>\n',
  },
  {
    kind: 'Shell, constants',
    tokens: 38,
    text: 'export MAX_RETRIES=5 HTTP_PROXY="" && curl -fsSL "$BASE_URL/healthz" | jq -r \'.status\' > /tmp/out.txt || exit 1\n',
  },
  {
    kind: 'Mixed',
    tokens: 46,
    text: 'Meeting um 14:30 — 会議室は3階です。 Bring the Q3 numbers (≈ €1.2M), s’il vous plaît! Ссылка: https://meet.example.com/abc-defg 🙂',
  },
];
