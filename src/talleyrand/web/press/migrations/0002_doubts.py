import talleyrand.web.fields
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("press", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="letter",
            name="doubts",
            field=talleyrand.web.fields.OrderedJSONField(default=list),
        ),
    ]
