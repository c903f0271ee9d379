/** As `COUNTED_TEXTS`, and written after the rates had been fixed: what to expect of texts nobody has seen. */
export const FRESH_TEXTS = [
  {
    kind: 'English, question',
    tokens: 39,
    text: "My sister is allergic to nuts and my father doesn't eat meat. What could I cook for six people on Sunday that can be prepared the day before? Nothing too fancy; our oven is small.",
  },
  {
    kind: 'Chinese, question',
    tokens: 51,
    text: '我家的猫最近总是半夜叫个不停，白天却一直睡觉。它已经八岁了，吃饭和喝水都正常。我应该带它去看兽医，还是先试着改变它的作息？',
  },
  {
    kind: 'Chinese, classical',
    tokens: 37,
    text: '子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？」',
  },
  {
    kind: 'Japanese, novel',
    tokens: 66,
    text: '夜になると、川の向こうの灯りがひとつずつ消えていった。老人は古い椅子に腰かけ、だれも来ない道をじっと見つめていた。犬が低くうなり、やがてまた静かになった。',
  },
  {
    kind: 'Korean, letter',
    tokens: 56,
    text: '할머니께, 그동안 안녕하셨어요? 저는 새 학교에 잘 적응하고 있어요. 친구도 많이 생겼고 선생님도 친절하세요. 방학이 되면 꼭 찾아뵐게요. 건강 조심하세요!',
  },
  {
    kind: 'Arabic, news',
    tokens: 50,
    text: 'افتتح المعرض الدولي للكتاب أبوابه أمام الجمهور، بمشاركة أكثر من خمسمئة دار نشر من ثلاثين دولة. وتستمر الفعاليات عشرة أيام، وتشمل ندوات وأمسيات شعرية وورشًا للأطفال.',
  },
  {
    kind: 'Persian',
    tokens: 50,
    text: 'برای درست کردن این غذا، اول برنج را چند بار بشویید و نیم ساعت در آب نمک بخوابانید. سپس پیازها را سرخ کنید و گوشت را با کمی زعفران به آن اضافه کنید.',
  },
  {
    kind: 'Hindi, story',
    tokens: 45,
    text: 'बहुत समय पहले एक छोटे से गाँव में एक गरीब किसान रहता था। वह रोज़ सुबह जल्दी उठकर खेत जाता और शाम को थका हुआ लौटता, फिर भी उसके चेहरे पर हमेशा मुस्कान रहती थी।',
  },
  {
    kind: 'Tamil',
    tokens: 48,
    text: 'நேற்று மாலை கடற்கரையில் நிறைய மக்கள் கூடியிருந்தனர். குழந்தைகள் மணலில் விளையாடினார்கள், பெரியவர்கள் தேநீர் குடித்துக்கொண்டு சூரியன் மறைவதைப் பார்த்தார்கள்.',
  },
  {
    kind: 'Thai, technical',
    tokens: 58,
    text: 'กรุณาตรวจสอบว่าคอมพิวเตอร์เชื่อมต่ออินเทอร์เน็ตแล้ว จากนั้นดาวน์โหลดไฟล์ติดตั้งรุ่นล่าสุด หากพบข้อผิดพลาด ให้ปิดโปรแกรมป้องกันไวรัสชั่วคราวแล้วลองใหม่อีกครั้ง',
  },
  {
    kind: 'Russian, dialogue',
    tokens: 54,
    text: '— Ты опять опоздал, — сказала Марина, не поднимая глаз. — Автобус сломался возле моста, пришлось идти пешком под дождём. — Ладно, садись ужинать, пока всё не остыло.',
  },
  {
    kind: 'German, technical',
    tokens: 52,
    text: 'Die Wärmepumpe schaltet sich bei Außentemperaturen unter minus fünfzehn Grad ab; der Heizstab übernimmt dann den Betrieb. Überprüfen Sie vierteljährlich den Anlagendruck und entlüften Sie die Heizkörper.',
  },
  {
    kind: 'Portuguese',
    tokens: 39,
    text: 'O ônibus das seis estava lotado, então resolvemos esperar o próximo. Enquanto isso, tomamos um café na padaria da esquina e conversamos sobre a viagem que faremos em julho.',
  },
  {
    kind: 'Italian',
    tokens: 53,
    text: 'Mio nonno coltivava pomodori e zucchine dietro casa. Ogni agosto tutta la famiglia si riuniva per preparare la salsa: chi lavava, chi tagliava, chi mescolava nel pentolone fino a sera.',
  },
  {
    kind: 'Swahili',
    tokens: 46,
    text: 'Kila asubuhi watoto wa kijiji chetu hutembea kilomita tatu kwenda shuleni. Wazazi wao wanafanya kazi shambani, na jioni familia zote hukusanyika kula chakula pamoja.',
  },
  {
    kind: 'Python, numeric',
    tokens: 84,
    text: 'import numpy as np\n\ndef softmax(x, axis=-1):\n    z = x - x.max(axis=axis, keepdims=True)\n    e = np.exp(z)\n    return e / e.sum(axis=axis, keepdims=True)\n\nw = np.random.randn(64, 10) * 0.01\nprint(softmax(np.ones((2, 64)) @ w).shape)\n',
  },
  {
    kind: 'JavaScript, React',
    tokens: 87,
    text: "import { useEffect, useState } from 'react';\n\nexport default function Clock() {\n  const [now, setNow] = useState(new Date());\n  useEffect(() => {\n    const id = setInterval(() => setNow(new Date()), 1000);\n    return () => clearInterval(id);\n  }, []);\n  return <time dateTime={now.toISOString()}>{now.toLocaleTimeString()}</time>;\n}\n",
  },
  {
    kind: 'Java',
    tokens: 87,
    text: 'public final class Stack<T> {\n    private Node<T> head;\n    private int size;\n\n    public void push(T value) {\n        head = new Node<>(value, head);\n        size++;\n    }\n\n    public T pop() {\n        if (head == null) throw new NoSuchElementException("empty");\n        T value = head.value;\n        head = head.next;\n        size--;\n        return value;\n    }\n}\n',
  },
  {
    kind: 'C++',
    tokens: 108,
    text: "template <typename It>\nvoid insertion_sort(It first, It last) {\n  for (auto i = first; i != last; ++i)\n    std::rotate(std::upper_bound(first, i, *i), i, std::next(i));\n}\n\nint main() {\n  std::vector<double> v{3.5, -1.0, 2.25};\n  insertion_sort(v.begin(), v.end());\n  for (const auto& x : v) std::cout << x << '\\n';\n}\n",
  },
  {
    kind: 'Diff',
    tokens: 59,
    text: '@@ -12,7 +12,9 @@ def connect(url):\n-    client = Client(url, timeout=5)\n+    client = Client(url, timeout=30, retries=3)\n+    if not client.ping():\n+        raise ConnectionError(url)\n     return client\n',
  },
  {
    kind: 'JSON, records',
    tokens: 80,
    text: '[{"date":"2024-05-01","open":171.3,"high":174.08,"low":170.11,"close":173.5,"volume":48210333},{"date":"2024-05-02","open":173.9,"high":175.2,"low":172.44,"close":174.97,"volume":39118250}]',
  },
  {
    kind: 'XML',
    tokens: 75,
    text: '<?xml version="1.0" encoding="UTF-8"?>\n<catalog>\n  <book isbn="978-3-16-148410-0">\n    <title>Birds of the Coast</title>\n    <price currency="EUR">24.90</price>\n    <inStock>true</inStock>\n  </book>\n</catalog>\n',
  },
  {
    kind: 'JWT',
    tokens: 107,
    text: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3MTE5Iiwicm9sZSI6ImVkaXRvciIsImV4cCI6MTc2MzgxMjM0NX0.R4vLkPq2xT9sWm0cYd7nZbHaGf5uJoEiKr8tNs3XwQ1',
  },
  {
    kind: 'Emoji, message',
    tokens: 36,
    text: 'Happy birthday!!! 🎂🥳🎁 Hope you have an amazing day 💖✨ Can’t wait to see you tonight 🍾🕺💃 xoxo 😘',
  },
  {
    kind: 'Digits, phone list',
    tokens: 62,
    text: '0171-2345678\n+1 (415) 555-0132\n020 7946 0958\n8 800 200-06-00\n2024/11/03 17:45\n99.95 %\n1e-9\n0xFF3A\n',
  },
  {
    kind: 'Whitespace-heavy, Python',
    tokens: 32,
    text: 'def walk(node):\n        if node:\n                for child in node:\n                        if child.ok:\n                                yield child\n                        else:\n                                yield from walk(child)\n\n\n\n\n',
  },
  {
    kind: 'ASCII art',
    tokens: 42,
    text: '+---------+      +---------+\n|  client | ---> |  server |\n+---------+      +---------+\n     |                |\n     v                v\n  [cache]          (database)\n==============================\n',
  },
  {
    kind: 'Mixed, Japanese and code',
    tokens: 55,
    text: '次の関数は空の配列を渡すと落ちます。`const avg = (xs) => xs.reduce((a, b) => a + b) / xs.length;` 初期値を 0 にすれば直りますか？',
  },
  {
    kind: 'Mixed, chat',
    tokens: 31,
    text: 'ok bro 😂 voy tarde, llego en 10 min!! 你先点菜吧，我要一杯 bubble tea 🧋 danke dir ❤️',
  },
  {
    kind: 'Markdown',
    tokens: 63,
    text: '## Getting started\n\n1. Install the package: `pip install lumen`\n2. Create a file named **config.toml**\n3. Run `lumen serve --port 9000`\n\n> **Note:** on Windows, use *PowerShell*.\n\n- [x] tests\n- [ ] docs\n',
  },
];
